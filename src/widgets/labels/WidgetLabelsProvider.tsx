import { createContext, useContext, useMemo, useRef, type ReactNode } from 'react';
import { ENGLISH_LABELS } from './englishLabels.js';
import type { WidgetLabels } from './WidgetLabels.js';

/** The overrides of the providers above. */
export const WidgetLabelsContext = createContext<Partial<WidgetLabels>>({});

export interface WidgetLabelsProviderProps {
  /** Overrides for built-in texts. Texts that are left out come from the provider above, else they are English. */
  labels: Partial<WidgetLabels>;
  children: ReactNode;
}

/**
 * Sets the texts of all widgets below, e.g. for another language. The `labels` prop of a widget overrides them.
 *
 * Write the labels outside of the component: a function that is new at each render counts as another text and renders all rows below.
 *
 * @example
 * const german = {
 *   loading: 'Lädt…',
 *   retry: 'Erneut versuchen',
 *   loaded: (more: number, loaded: number) => `${more} weitere, ${loaded} insgesamt.`,
 * };
 *
 * <WidgetLabelsProvider labels={german}>
 *   <App />
 * </WidgetLabelsProvider>
 */
export function WidgetLabelsProvider({ labels, children }: WidgetLabelsProviderProps): ReactNode {
  const inherited = useContext(WidgetLabelsContext);
  const merged = useMemo(() => ({ ...inherited, ...labels }), [inherited, labels]);
  return <WidgetLabelsContext.Provider value={merged}>{children}</WidgetLabelsContext.Provider>;
}

/** The texts of a widget. The same object as long as all texts are equal, so that rows do not render again. */
export function useWidgetLabels(overrides: Partial<WidgetLabels> | undefined): WidgetLabels {
  const previous = useRef<WidgetLabels>(undefined);
  const labels: WidgetLabels = { ...ENGLISH_LABELS, ...useContext(WidgetLabelsContext), ...overrides };
  const names = Object.keys(labels) as (keyof WidgetLabels)[];
  // Writing a ref in render is safe here: equal texts give the same object, in whichever order renders happen.
  if (!previous.current || names.some(name => previous.current?.[name] !== labels[name])) previous.current = labels;
  return previous.current;
}
