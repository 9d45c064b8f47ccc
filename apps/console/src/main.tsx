import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/shell.css';
// The token of a link leaves the address before the router reads it.
import './app/link-token';
import './app/device-code';
import { queryClient, sessionQuery, whenSessionEnds } from './app/queries';
import { router } from './app/router';
import { applyTheme } from './app/theme';
import { Toasts } from './components/toast';

applyTheme();

whenSessionEnds(() => {
  const { href, pathname } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: '/sign-in', search: { next: href, ended: true } });
});

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}
