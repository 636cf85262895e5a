/** The ids that connect the two parts of the panel, in the story's frame and in Storybook's own frame. */
export const ADDON_ID = 'data-client-auth/requests';
export const PANEL_ID = `${ADDON_ID}/panel`;
export const NEWS = `${ADDON_ID}/news`;

/** The parameter of a story, as in `parameters: { requests: { disable: true } }`. */
export const PARAM_KEY = 'requests';
