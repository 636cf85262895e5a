/** @jsxRuntime classic */
import { KeyIcon, LightningIcon, UserIcon } from '@storybook/icons';
import React, { useSyncExternalStore } from 'react';
import { Select } from 'storybook/internal/components';
import { useGlobals } from 'storybook/manager-api';
import type { ToolbarStore, ToolbarTool } from './toolbarTools.js';

const ICONS = { mechanism: KeyIcon, user: UserIcon, network: LightningIcon };

/** One choice. Storybook's own look, also where the story declares the global and so locks the choice. */
function AuthTool({ name, title, description, items }: ToolbarTool) {
  const [globals, updateGlobals, storyGlobals] = useGlobals();
  // Storybook shows the option's title in the button, and its children in the menu.
  const options = items.map(item => ({ value: item.value, title: `${title}: ${item.title}`, children: item.title }));
  const Icon = ICONS[name];
  const current = options.find(({ value }) => value === globals[name]) ?? options[0];
  return (
    <Select
      // The component reads its default at the first render only; other stories have other items.
      key={JSON.stringify(items)}
      ariaLabel={description}
      tooltip={description}
      defaultOptions={current?.value ?? null}
      options={options}
      icon={<Icon />}
      disabled={name in storyGlobals}
      onSelect={value => updateGlobals({ [name]: value })}
    >
      {current?.title}
    </Select>
  );
}

/** The choices of the current story: mechanism, user and network. */
export function AuthToolbar({ store }: { store: ToolbarStore }) {
  const tools = useSyncExternalStore(store.subscribe, store.getTools);
  return (
    <>
      {tools.map(tool => (
        <AuthTool key={tool.name} {...tool} />
      ))}
    </>
  );
}
