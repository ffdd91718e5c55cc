// People and operators in the browser: invitations, roles, sessions, forgotten passwords, and what
// a member may see.
import { expect } from 'bun:test';
import { signIn } from './operator-api.ts';
import { takeTour } from './page-tour.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, openPersonMenu, pressInMenu } from './visit.ts';
import type { Visit } from './visit.ts';

const password = 'correct horse battery';
const bob = 'bob@example.org';

export function peopleTests(fixture: Fixture): void {
  invitationTest(fixture);
  memberTest(fixture);
  roleTest(fixture);
  forgottenTest(fixture);
  operatorTest(fixture);
}

function invitationTest({ gateway, operator, anonymous }: Fixture): void {
  test('an account is renamed, and a labelled invitation makes a member of it', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/people`);
    await pressInMenu(page, 'Rename Default');
    await page.getByLabel('Name', { exact: true }).fill('Research');
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByLabel('Accounts').getByRole('row', { name: 'Research' }).waitFor();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('Label').fill('Bob, on call');
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Create a link' }).click();
    const link = (await page.locator('.secret').textContent()) ?? '';
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel('Open invitations').getByRole('row', { name: 'Bob, on call' }).waitFor();
    expect(await ada.inspect()).toEqual([]);
    await using visitor = await anonymous();
    await visitor.page.goto(link);
    await visitor.page.getByLabel('Name', { exact: true }).fill('Bob');
    await visitor.page.getByLabel('Email').fill(bob);
    await visitor.page.getByLabel('Password').fill(password);
    await visitor.page.getByRole('button', { name: 'Join' }).click();
    await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await visitor.page.getByText('Research').first().waitFor();
    expect([...ada.complaints, ...visitor.complaints]).toEqual([]);
  });
}

function memberTest(fixture: Fixture): void {
  const { gateway } = fixture;
  test('a member sees their own profile and sessions, and ends the other sessions', async () => {
    await using here = await browserOfBob(fixture);
    await using there = await browserOfBob(fixture);
    const { page } = here;
    await page.goto(gateway().url);
    await there.page.goto(`${gateway().url}/keys`);
    await there.page.getByRole('heading', { name: 'Keys' }).waitFor();
    await openPersonMenu(page);
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByText('Member of Research').waitFor();
    expect(await page.getByLabel('Sessions').getByText('This one').count()).toBe(1);
    await page.getByLabel('Name', { exact: true }).fill('Robert');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('button', { name: 'Your settings: Robert' }).waitFor();
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByRole('button', { name: 'Sign out all others' }).waitFor({ state: 'detached' });
    await there.page.reload();
    await there.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await takeTour(here)).toEqual(memberPages);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('of a member');
    await page.getByLabel('Exa', { exact: true }).check();
    expect(await here.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('row', { name: 'of a member' }).getByText('only Exa').waitFor();
    await page.goto(`${gateway().url}/settings`);
    await page.getByText('For operators').waitFor();
    expect(here.complaints).toEqual([]);
  });
}

const memberPages = [
  'Overview',
  'Playground',
  'Keys',
  'Webhooks',
  'Requests',
  'Jobs',
  'Incidents',
  'Usage',
  'Billing',
  'Providers',
  'Scorecard',
  'Audit log',
  'Profile',
];

function roleTest(fixture: Fixture): void {
  const { gateway, operator } = fixture;
  test('a changed role takes effect at once, and the last operator stays one', async () => {
    await using ada = await operator();
    const { page } = ada;
    await using member = await browserOfBob(fixture);
    await page.goto(`${gateway().url}/people`);
    const change = async (name: string, role: string) => {
      await pressInMenu(page, `Change the role of ${name}`);
      await page.getByLabel('Role', { exact: true }).selectOption(role);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await change('Ada Lovelace', 'member');
    await page.getByText('This is the last operator').waitFor();
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await change('Robert', 'operator');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await member.page.goto(`${gateway().url}/settings`);
    await member.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await change('Robert', 'member');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await member.page.reload();
    await member.page.getByText('For operators').waitFor();
    // The browser itself reports the expected 409.
    expect(ada.complaints.filter((line) => !line.includes('409'))).toEqual([]);
  });
}

function forgottenTest({ gateway, operator, anonymous }: Fixture): void {
  test('a link that works once replaces a forgotten password', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/people`);
    await pressInMenu(page, 'Reset the password of Robert');
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Create a link' }).click();
    const link = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await using visitor = await anonymous();
    await visitor.page.goto(link);
    expect(await visitor.page.getByLabel('Email').inputValue()).toBe(bob);
    await visitor.page.getByLabel('New password').fill('a better horse battery');
    expect(await visitor.inspect()).toEqual([]);
    await visitor.page.getByRole('button', { name: 'Change the password' }).click();
    await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await visitor.page.goto(link);
    await visitor.page.getByText('This link does not work').waitFor();
    expect(await visitor.inspect()).toEqual([]);
    expect([...ada.complaints, ...visitor.complaints]).toEqual([]);
  });
}

function operatorTest({ gateway, operator }: Fixture): void {
  test('the audit log shows who did what, and the settings hide their secrets', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/audit?action=account.changed`);
    const row = page.getByRole('row', { name: /Account changed.*Name: Default → Research/ });
    await row.getByText('Name: Default → Research').waitFor();
    await row.getByTitle('ada@example.org').waitFor();
    await page.getByRole('button', { name: 'This account' }).click();
    await row.getByText('Name: Default → Research').waitFor();
    await page.getByRole('button', { name: /^Change: / }).click();
    await page.getByLabel('Change', { exact: true }).selectOption('key.rotated');
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'Key rotated' }).first().waitFor();
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('link', { name: 'Settings' }).click();
    const secret = page.getByRole('row', { name: 'TRIVIUM_BOOTSTRAP_KEY' });
    await secret.getByText('Set (hidden)').waitFor();
    expect(await page.content()).not.toContain(gateway().key);
    await page.getByRole('button', { name: 'All, including defaults' }).click();
    await page.getByRole('row', { name: 'TRIVIUM_MAX_REQUEST_USD' }).getByText('10').waitFor();
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
}

/** A browser in which Bob is signed in. */
async function browserOfBob({ gateway, anonymous }: Fixture): Promise<Visit> {
  const visit = await anonymous();
  await visit.page.context().addCookies(await signIn(gateway(), { email: bob, password }));
  return visit;
}
