import { useContext, type ReactNode } from 'react';
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
 * @example
 * <WidgetLabelsProvider labels={{ loading: 'Lädt…', retry: 'Erneut versuchen', loaded: (more, total) => `${more} weitere, ${total} insgesamt.` }}>
 */
export function WidgetLabelsProvider({ labels, children }: WidgetLabelsProviderProps): ReactNode {
  const above = useContext(LabelsContext);
  return <LabelsContext.Provider value={{ ...above, ...labels }}>{children}</LabelsContext.Provider>;
}
