import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ErrorState } from '../components/states';
import { NotFoundPage } from '../shell/not-found-page';
import { queryClient, sessionQuery } from './queries';
import { apiKeysSearch, messagesSearch, signInSearch } from './search';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('../features/auth/sign-in-page'), 'SignInPage'),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  component: lazyRouteComponent(() => import('../features/auth/register-page'), 'RegisterPage'),
});

const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../features/auth/verify-email-page'), 'VerifyEmailPage'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../features/auth/reset-password-page'), 'ResetPasswordPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/accept',
  component: lazyRouteComponent(() => import('../features/auth/invitation-page'), 'InvitationPage'),
});

const purchaseCompletedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/credits/completed',
  component: lazyRouteComponent(() => import('../features/credits/purchase-pages'), 'PurchaseCompletedPage'),
});

const purchaseCanceledRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/credits/canceled',
  component: lazyRouteComponent(() => import('../features/credits/purchase-pages'), 'PurchaseCanceledPage'),
});

const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/design',
  component: lazyRouteComponent(() => import('../features/design/design-page'), 'DesignPage'),
});

/** The screens of a session. Without one, a person signs in first and then returns to the screen. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    const current = await queryClient.ensureQueryData(sessionQuery);
    if (!current) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { current };
  },
  component: lazyRouteComponent(() => import('../shell/shell'), 'Shell'),
  errorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
});

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => redirect({ to: '/developers/api-keys', throw: true, replace: true }),
});

const messagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/messages',
  validateSearch: messagesSearch,
  component: lazyRouteComponent(() => import('../features/messages/messages-page'), 'MessagesPage'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers/api-keys',
  validateSearch: apiKeysSearch,
  component: lazyRouteComponent(() => import('../features/api-keys/api-keys-page'), 'ApiKeysPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/device',
  component: lazyRouteComponent(() => import('../features/device/device-page'), 'DevicePage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    registerRoute,
    verifyEmailRoute,
    resetPasswordRoute,
    invitationRoute,
    purchaseCompletedRoute,
    purchaseCanceledRoute,
    designRoute,
    shellRoute.addChildren([homeRoute, messagesRoute, apiKeysRoute, deviceRoute]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  context: {},
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
