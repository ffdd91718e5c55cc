// Lists of domains are sent in the forms a provider takes, and a warning names every change.
import { describe, expect, test } from 'bun:test';
import { negotiate } from './negotiate.ts';
import { domains, native } from '../providers/shared/rows.ts';
import type { Support } from './support.ts';

const weigh = (param: string, support: Support, value: string[]) =>
  negotiate({ query: native, [param]: support }, { query: 'tides', [param]: value }, new Date(0));

describe('lists of domains', () => {
  test('domains are sent in the forms the provider takes', () => {
    const all = ['a.example', '*.b.example', 'www.c.example', '.gov', 'd.example/x'];
    const every = domains({ path: true, wildcard: true, suffix: true });
    for (const param of ['include_domains', 'exclude_domains']) {
      expect(weigh(param, every, all)).toMatchObject({
        granted: { [param]: all },
        warnings: [],
        filters: [{ param, value: all }],
      });
    }
  });
  test('an included domain in another form is sent as the nearest that includes it', () => {
    const asked = ['a.example:8080', '*.b.example', 'www.c.example', 'd.example/x', 'd.example/y'];
    expect(weigh('include_domains', domains({ www: false }), asked)).toMatchObject({
      granted: { include_domains: ['a.example', 'b.example', 'c.example', 'd.example'] },
      warnings: [{ code: 'results_post_filtered', param: 'include_domains' }],
      filters: [{ param: 'include_domains', value: asked, warning: 0 }],
    });
  });
  test('an included domain that nothing includes keeps the whole list from being sent', () => {
    const { granted, warnings, filters } = weigh('include_domains', domains(), [
      'a.example',
      '.gov',
    ]);
    expect(granted).toEqual({ query: 'tides' });
    expect(warnings).toMatchObject([{ code: 'results_post_filtered' }]);
    expect(filters).toHaveLength(1);
  });
  test('an excluded domain in another form is not sent, the others are', () => {
    const asked = ['a.example', '*.b.example', 'www.c.example', '.gov', 'd.example/x', 'e.org:81'];
    expect(weigh('exclude_domains', domains({ www: false }), asked)).toMatchObject({
      granted: { exclude_domains: ['a.example'] },
      warnings: [{ code: 'results_post_filtered', param: 'exclude_domains' }],
      filters: [{ value: asked, warning: 0 }],
    });
  });
  test('more domains than the provider takes are cut, or left to our filter', () => {
    const asked = ['a.example', 'b.example', 'c.example'];
    expect(weigh('include_domains', domains({ atMost: 2 }), asked)).toMatchObject({
      granted: { include_domains: ['a.example', 'b.example'] },
      warnings: [{ code: 'param_approximated' }],
      filters: [{ value: asked, warning: 0 }],
    });
    expect(weigh('exclude_domains', domains({ atMost: 2 }), asked)).toMatchObject({
      granted: { exclude_domains: ['a.example', 'b.example'] },
      warnings: [{ code: 'results_post_filtered' }],
      filters: [{ value: asked }],
    });
  });
  test('a host that is no plain name is sent as the nearest above it that is one', () => {
    const plain = domains({ plainNames: true });
    const asked = ['a_b.c.example', 'x.-d.e.example', 'www.f.example', 'xn--mnchen-3ya.example'];
    expect(weigh('include_domains', plain, asked)).toMatchObject({
      granted: {
        include_domains: ['c.example', 'e.example', 'www.f.example', 'xn--mnchen-3ya.example'],
      },
      warnings: [{ code: 'results_post_filtered', param: 'include_domains' }],
      filters: [{ value: asked }],
    });
    expect(weigh('exclude_domains', plain, asked)).toMatchObject({
      granted: { exclude_domains: ['www.f.example', 'xn--mnchen-3ya.example'] },
      filters: [{ value: asked }],
    });
    for (const alone of ['10.0.0.1', '10.0.0.10', 'a.e_', 'a.b', 'gov', '.gov']) {
      const { granted, filters } = weigh('include_domains', plain, [alone]);
      expect([alone, granted]).toEqual([alone, { query: 'tides' }]);
      expect(filters).toHaveLength(1);
    }
  });
});
