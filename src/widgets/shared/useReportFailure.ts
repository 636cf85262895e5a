import { useContext, useEffect } from 'react';
import { ReportFailureContext } from '../../providers/failureReport.js';
import type { LooseEndpoint } from './resourceTypes.js';

type SendAndReport = <T>(endpoint: LooseEndpoint, start: () => Promise<T>) => Promise<T>;

/** Returns a function that starts a write and reports its failure to the `onError` of the provider. */
export function useReportedWrites(): SendAndReport {
  const report = useContext(ReportFailureContext);
  return async (endpoint, start) => {
    try {
      return await start();
    } catch (error) {
      report(error, { operation: 'write', endpoint });
      throw error;
    }
  };
}

/** Reports an error of a read to the `onError` of the provider, when it is shown. */
export function useReportedRead(error: Error | undefined, endpoint: LooseEndpoint): void {
  const report = useContext(ReportFailureContext);
  useEffect(() => {
    if (error) report(error, { operation: 'read', endpoint });
  }, [report, error, endpoint]);
}
