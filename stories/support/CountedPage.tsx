import type { ComponentType, ReactNode } from 'react';
import type { RequestJournal } from '../../src/testing/index.js';
import { AuthStatus, SignInButtons } from './ArticlesDemo.js';
import { OutcomeLog } from './OutcomeLog.js';
import { RequestLog } from './RequestLog.js';

interface CountedPageProps {
  journal: RequestJournal;
  app: {
    readonly Provider: (props: { children: ReactNode }) => ReactNode;
    /** @default the session's own sign-in and sign-out */
    readonly SignInButtons?: ComponentType;
  };
  /** @default those of the app */
  buttons?: ReactNode;
  children: ReactNode;
}

/** A page below a provider, with sign-in buttons. The counts of requests and the outcomes of calls are above the provider. */
export function CountedPage({ journal, app, buttons, children }: CountedPageProps) {
  const { Provider, SignInButtons: Buttons = SignInButtons } = app;
  return (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <Provider>
          <AuthStatus />
          {buttons === undefined ? <Buttons /> : buttons}
          {children}
        </Provider>
      </OutcomeLog>
    </>
  );
}
