import { RouterProvider, type RouterProviderProps } from 'react-router';
import { AuthProvider, session } from './session';
import './app.css';

export function App({ router }: Pick<RouterProviderProps, 'router'>) {
  return (
    <div className="app">
      <AuthProvider session={session}>
        <RouterProvider router={router} />
      </AuthProvider>
    </div>
  );
}
