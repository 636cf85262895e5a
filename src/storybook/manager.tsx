/** @jsxRuntime classic */
// The part of the requests panel in Storybook's own frame. Storybook finds this file by its name.
import React from 'react';
import { addons, types } from 'storybook/manager-api';
import { STORY_CHANGED } from 'storybook/internal/core-events';
import { createPanelStore } from './createPanelStore.js';
import { ADDON_ID, NEWS, PANEL_ID, PARAM_KEY } from './panelNames.js';
import type { PanelNews } from './PanelNews.js';
import { PanelTitle } from './PanelTitle.js';
import { RequestsPanel } from './RequestsPanel.js';

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
