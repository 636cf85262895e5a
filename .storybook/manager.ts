// The frame around the stories: its name, and the requests panel.
import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';
import '../src/storybook/manager.js';

addons.setConfig({ theme: create({ base: 'light', brandTitle: 'data-client-auth' }) });
