// What requests hold of an account, as a column.

/** What is granted to gateways counts as held, but no request holds it. */
export const heldByRequests = `held - (select coalesce(sum(granted - booked), 0) from allowances
    where allowances.account_id = accounts.id) as held`;
