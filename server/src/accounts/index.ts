// The parts of accounts that other modules may use.
import * as views from './views.ts';

export {
  accountExpiry,
  changeAccount,
  createAccount,
  moveMoney,
  readAccount,
  readAccounts,
  readNames,
  showTransfer,
} from './accounts.ts';
export { readBudgets, setBudget } from './budgets.ts';
export type { ChangeOnce } from './change-once.ts';
export { checkSandboxIsMeant, prepareAccounts, readStoreMode } from './first-start.ts';
export {
  type Authenticator,
  callerFor,
  createFirstToken,
  makeAuthenticator,
  makeOperatorCheck,
  viewSession,
} from './keys/authenticate.ts';
export {
  accountOfKey,
  changeKey,
  createKey,
  endOverlap,
  readKeys,
  revokeApiKey,
  rotateKey,
} from './keys/keys.ts';
export { OAuthError, oauthScope, registerClient } from './oauth/clients.ts';
export { decideRequest, describeRequest, type OAuthParts } from './oauth/consent.ts';
export { giveTokens, revokeToken } from './oauth/tokens.ts';
export {
  checkInvite,
  invite,
  join,
  prepareSetUp,
  readPeople,
  withdrawInvite,
} from './people/invitations.ts';
export { makeResetLinkFor } from './people/password-reset.ts';
export {
  changePerson,
  changeProfile,
  endOtherSessions,
  endSession,
  readProfile,
  removePerson,
} from './people/people.ts';
export { openSignIn } from './sign-in/passwords.ts';
export { findNamed } from './store/find.ts';
export type { SignIn } from './sign-in/sign-in.ts';
export { views };
