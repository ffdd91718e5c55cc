// What was found in a transcript, as a header, because the answer of a job has no warnings. It needs
// no schema, so the client and the dashboard load it without the contract.
export const contentSignalsHeader = 'x-trivium-content-signals';
