import { useContext, useMemo, type ReactNode } from 'react';
import { LabelsContext } from './LabelsContext.js';
import type { WidgetLabels } from './WidgetLabels.js';

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
  const above = useContext(LabelsContext);
  const words = useMemo(() => ({ ...above, ...labels }), [above, labels]);
  return <LabelsContext.Provider value={words}>{children}</LabelsContext.Provider>;
}
