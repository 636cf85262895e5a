import { useSuspense } from '@data-client/react';
import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { pathParams } from '../shared/params.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';

interface RecordLoaderProps {
  /** A hookified resource with `get`. */
  resource: { readonly useGet: () => LooseEndpoint };
  params: LooseParams;
  labels: WidgetLabels;
  className: string;
  /** Called once with the record, before the browser paints. `hadFocus` is true when the user was in the loader: at its retry button. */
  onLoad: (record: object, hadFocus: boolean) => void;
}

/**
 * Reads the record that a form edits, from the store or the server, and shows loading and errors. The form replaces it then, and no later
 * read can take the form off the screen.
 */
export function RecordLoader({ resource, params, labels, className, onLoad }: RecordLoaderProps): ReactNode {
  const endpoint = resource.useGet();
  const ownParams = useMemo(() => pathParams(endpoint, params), [endpoint, params]);
  const region = useRef<HTMLDivElement>(null);
  return (
    <div ref={region} className={className} tabIndex={-1}>
      <DataBoundary
        endpoint={endpoint}
        params={ownParams}
        labels={labels}
        loading={undefined}
        renderError={undefined}
        region={region}
      >
        <LoadedRecord endpoint={endpoint} params={ownParams} region={region} onLoad={onLoad} />
      </DataBoundary>
    </div>
  );
}

interface LoadedRecordProps extends Pick<RecordLoaderProps, 'params' | 'onLoad'> {
  endpoint: LooseEndpoint;
  region: RefObject<HTMLElement | null>;
}

function LoadedRecord({ endpoint, params, region, onLoad }: LoadedRecordProps) {
  const record = useSuspense(endpoint, params) as object;
  // Read during render: after the commit, the retry button is gone.
  const hadFocus = region.current?.contains(document.activeElement) ?? false;
  // The form replaces this component, so the first record is the only one.
  useBeforePaint(() => onLoad(record, hadFocus), []);
  return null;
}
