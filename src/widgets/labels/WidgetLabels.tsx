import { createContext, useContext, useMemo, useRef, type ReactNode } from 'react';
import { keepIfEqual } from '../../keepIfEqual.js';
import { ENGLISH_LABELS, type WidgetLabels } from './englishLabels.js';

/** The overrides of the providers above. */
const WidgetLabelsContext = /* @__PURE__ */ createContext<Partial<WidgetLabels>>({});

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
  // Writing a ref in render is safe here: equal texts give the same object, in whichever order renders happen.
  return (previous.current = keepIfEqual(previous.current, labels));
}
