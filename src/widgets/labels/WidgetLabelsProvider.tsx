import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import { mergeLabels, type WidgetLabels } from './WidgetLabels.js';

export interface WidgetLabelsProviderProps {
  /** The words, all or some; what is left out is said by the provider above, and else in English. */
  labels: Partial<WidgetLabels>;
  children: ReactNode;
}

/**
 * The words of all widgets below, for an app in another language. The `labels` of a widget win over them.
 *
 * Write them outside of the component: a function that is a new one at each render of the app is another word, and renders all rows below.
 *
 * @example
 * const german = { loading: 'Lädt…', retry: 'Erneut versuchen', loaded: (more: number, total: number) => `${more} weitere, ${total} insgesamt.` };
 *
 * <WidgetLabelsProvider labels={german}>
 *   <App />
 * </WidgetLabelsProvider>
 */
export function WidgetLabelsProvider({ labels, children }: WidgetLabelsProviderProps): ReactNode {
  const above = useContext(WidgetLabelsContext);
  const words = useMemo(() => ({ ...above, ...labels }), [above, labels]);
  return <WidgetLabelsContext.Provider value={words}>{children}</WidgetLabelsContext.Provider>;
}

/** What the providers above have for words. */
export const WidgetLabelsContext = createContext<Partial<WidgetLabels>>({});

/** The widget's words as the same object while they are the same words, however the prop was written: rows below see no change. */
export function useWidgetLabels(given: Partial<WidgetLabels> | undefined): WidgetLabels {
  const held = useRef<WidgetLabels>(undefined);
  const labels = mergeLabels(useContext(WidgetLabelsContext), given);
  const names = Object.keys(labels) as (keyof WidgetLabels)[];
  // A cache that changes no result: equal words give the equal object.
  if (!held.current || names.some(name => held.current?.[name] !== labels[name])) held.current = labels;
  return held.current;
}
