/**
 * Parameters of proofs that are about requests. Their page is made of test buttons and counts; the stories of the widgets check what
 * users see for accessibility.
 */
export const requestsOnly = { a11y: { test: 'off' } };
