import type { ReactNode, RefObject } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { ErrorSlotProps } from './ErrorView.js';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';

export interface DataBoundaryProps {
  endpoint: LooseEndpoint;
  /** Null shows the loading state and reads nothing. */
  params: LooseParams | null;
  labels: WidgetLabels;
  loading: ReactNode;
  renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Gets the focus when the focused element is removed. */
  region: RefObject<HTMLElement | null>;
  /**
   * Keeps the children mounted while other params load; they read with `usePreviousData`. @default false: other params
   * mount other children
   */
  keepPreviousData?: boolean;
  /** Reads the endpoint with `useSuspense`. */
  children: ReactNode;
}
