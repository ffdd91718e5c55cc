// The parts of accounts that other modules may use.
export {
  adjust,
  changeAccount,
  createAccount,
  type Movement,
  readAccount,
  readAccounts,
  refund,
  showTransfer,
  topUp,
} from './accounts.ts';
export { type Authenticator, makeAuthenticator } from './authenticate.ts';
export { readBudgets, setBudget } from './budgets.ts';
export { type Change, type ChangeContext, type ChangeOnce, makeChangeOnce } from './change-once.ts';
export type { AccountsContext } from './context.ts';
export { prepareAccounts } from './first-start.ts';
export {
  checkInvite,
  invite,
  join,
  prepareSetUp,
  readPeople,
  withdrawInvite,
} from './invitations.ts';
export { changeKey, createKey, readKeys, revokeApiKey } from './keys.ts';
export { ClientMetadata, registerClient } from './oauth-clients.ts';
export { decideRequest, describeRequest, type OAuthPlace } from './oauth-consent.ts';
export { OAuthError } from './oauth-error.ts';
export {
  giveTokens,
  oauthScope,
  revokeToken,
  type TokenContext,
  type TokenRequest,
} from './oauth-tokens.ts';
export { createFirstToken, makeOperatorCheck, type OperatorCheck } from './operator.ts';
export { makePasswordResets, makeResetLink, type PasswordResets } from './password-reset.ts';
export { changePerson, removePerson } from './people.ts';
export { changeProfile, endOtherSessions, endSession, readProfile } from './profile.ts';
export { endOverlap, rotateKey } from './rotate-key.ts';
export { callerFor, viewSession } from './session.ts';
export { makeSignInLimits, type SignInLimits } from './sign-in-limits.ts';
export { makePasswordSignIn, type PasswordSignIn } from './sign-in-password.ts';
export { makeSignIn, type SignIn, type SignInRequest } from './sign-in.ts';
export { accountExpiry } from './expiry.ts';
export { checkSandboxIsMeant, readStoreMode } from './store-mode.ts';
export { findKey } from './store/keys.ts';
export { findNames, type Names } from './store/names.ts';
export { findPersonByEmail } from './store/people.ts';
