/**
 * Parameters of proofs about requests: no accessibility check. Their pages have test buttons and counts only. The stories of the
 * widgets check the accessibility of what users see.
 */
export const requestsOnly = { a11y: { test: 'off' } };
