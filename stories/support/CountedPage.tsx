import type { ReactNode } from 'react';
import type { RequestJournal } from '../../src/testing/index.js';
import { AuthStatus, SignInButtons } from './ArticlesDemo.js';
import { OutcomeLog } from './OutcomeLog.js';
import { RequestLog } from './RequestLog.js';

interface CountedPageProps {
  journal: RequestJournal;
  app: { readonly Provider: (props: { children: ReactNode }) => ReactNode };
  /** @default the session's own sign-in and sign-out */
  buttons?: ReactNode;
  children: ReactNode;
}

/** A page below a provider, with sign-in buttons. The counts of requests and the outcomes of calls are above the provider. */
export function CountedPage({ journal, app, buttons = <SignInButtons />, children }: CountedPageProps) {
  return (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <app.Provider>
          <AuthStatus />
          {buttons}
          {children}
        </app.Provider>
      </OutcomeLog>
    </>
  );
}
