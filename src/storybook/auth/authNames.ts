/** The ids that connect the two parts of the auth toolbar, in the story's frame and in Storybook's own frame. */
export const AUTH_ID = 'data-client-auth/auth';
export const TOOLBAR_NEWS = `${AUTH_ID}/tools`;

/** The parameter of a story, as in `parameters: { auth: { as: 'ada' } }`. */
export const AUTH_PARAM_KEY = 'auth';
