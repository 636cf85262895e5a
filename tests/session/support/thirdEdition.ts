/** True where the tests run on the new core. Expectations that the third edition changes ask for it, until the old core is gone. */
export const thirdEdition = process.env.NEXT_CORE === '1';
