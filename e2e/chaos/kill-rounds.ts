// How often each test kills a gateway. TRIVIUM_TEST_KILLS=450 runs the long version.

const usual = 10;

export const killRounds = Number(process.env['TRIVIUM_TEST_KILLS'] ?? usual);
