// The frame around the stories: its name, and nothing else.
import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';

addons.setConfig({ theme: create({ base: 'light', brandTitle: 'data-client-auth' }) });
