/** @jsxRuntime classic */
// The part of the addon in Storybook's own frame: the toolbar of “Signed in as ...”, and the requests panel. Storybook finds this file by
// its name.
import React from 'react';
import { addons, types } from 'storybook/manager-api';
import { STORY_CHANGED } from 'storybook/internal/core-events';
import { AuthToolbar } from './auth/AuthToolbar.js';
import { AUTH_ID, TOOLBAR_NEWS } from './auth/AuthParameters.js';
import { createToolbarStore, type ToolbarNews } from './auth/toolbarTools.js';
import { createPanelStore } from './createPanelStore.js';
import { ADDON_ID, NEWS, PANEL_ID, PARAM_KEY, type PanelNews } from './PanelNews.js';
import { PanelTitle, RequestsPanel } from './RequestsPanel.js';

addons.register(ADDON_ID, api => {
  const store = createPanelStore();
  api.on(NEWS, (news: PanelNews) => store.receive(news));
  api.on(STORY_CHANGED, (storyId: string) => store.show(storyId));
  addons.add(PANEL_ID, {
    type: types.PANEL,
    title: () => <PanelTitle store={store} />,
    render: ({ active = true }) => (active ? <RequestsPanel store={store} /> : <></>),
    paramKey: PARAM_KEY,
  });
});

addons.register(AUTH_ID, api => {
  const store = createToolbarStore();
  api.on(TOOLBAR_NEWS, ({ tools }: ToolbarNews) => store.setTools(tools));
  addons.add(`${AUTH_ID}/toolbar`, {
    type: types.TOOL,
    title: 'Signed in as',
    match: ({ viewMode, tabId }) => (viewMode === 'story' || viewMode === 'docs') && !tabId,
    render: () => <AuthToolbar store={store} />,
  });
});
