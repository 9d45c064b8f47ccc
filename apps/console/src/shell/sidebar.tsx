import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, CircleUser, Search } from 'lucide-react';
import { client } from '../app/client';
import { queryClient, sessionQuery, workspacesQuery } from '../app/queries';
import { setTheme, THEMES, useTheme } from '../app/theme';
import { Button } from '../components/button';
import { Menu } from '../components/menu';
import { toast } from '../components/toast';
import { messageOf } from '../app/api-error';
import { strings } from '../strings';
import { Brand } from './brand';
import { useCurrent, useMembership } from './current';
import { DESTINATIONS, DEVELOPER_DESTINATIONS, type Destination } from './destinations';
import { useSignOut } from './sign-out';

const texts = strings.shell;

export function Sidebar({ onSearch, onShortcuts }: { onSearch: () => void; onShortcuts: () => void }) {
  return (
    <nav className="sidebar" aria-label={texts.navigation}>
      <Brand />
      <WorkspaceMenu />
      <Button variant="quiet" onPress={onSearch}>
        <Search size={16} aria-hidden />
        <span className="grow">{texts.search}</span>
        <kbd className="key-hint">Ctrl K</kbd>
      </Button>
      <div className="nav">
        <NavLinks destinations={DESTINATIONS} />
        <p className="nav-title">{texts.developers}</p>
        <NavLinks destinations={DEVELOPER_DESTINATIONS} />
        <a className="nav-link" href="/docs" target="_blank" rel="noreferrer">
          <BookOpen size={16} aria-hidden />
          {texts.reference}
        </a>
      </div>
      <div className="sidebar-foot">
        <AccountMenu onShortcuts={onShortcuts} />
      </div>
    </nav>
  );
}

function NavLinks({ destinations }: { destinations: readonly Destination[] }) {
  return destinations.map(({ to, label, icon: Icon }) => (
    <Link key={to} to={to} className="nav-link" activeOptions={{ includeSearch: false }}>
      <Icon size={16} aria-hidden />
      {label}
    </Link>
  ));
}

/** Shows the organization and the workspace, and switches to another workspace. */
function WorkspaceMenu() {
  const router = useRouter();
  const { workspace } = useCurrent();
  const organization = useMembership()?.organization;
  const workspaces = useQuery(workspacesQuery).data ?? [];
  const switching = useMutation({
    mutationFn: (workspaceId: string) => client.session.switchWorkspace({ workspaceId }),
    onSuccess: async (current) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, current);
      await router.invalidate();
      toast(texts.switched(current.workspace?.slug ?? ''));
    },
    onError: (error) => toast(messageOf(error)),
  });
  const name = workspaces.find(({ id }) => id === workspace?.id)?.displayName ?? workspace?.slug ?? texts.noWorkspace;
  return (
    <Menu
      label={texts.workspace}
      trigger={
        <Button variant="quiet" isPending={switching.isPending}>
          <span className="grow">
            <span className="visually-hidden">{texts.workspace}: </span>
            <strong>{organization?.name ?? strings.loading}</strong>
            <br />
            <span className="muted">{name}</span>
          </span>
          <ChevronsUpDown size={16} aria-hidden />
        </Button>
      }
      entries={workspaces.map(({ id, displayName }) => ({
        id,
        label: displayName,
        isCurrent: id === workspace?.id,
        onAction: () => {
          if (id !== workspace?.id) switching.mutate(id);
        },
      }))}
    />
  );
}

function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { user } = useCurrent();
  const theme = useTheme();
  const signOut = useSignOut();
  return (
    <Menu
      label={texts.account}
      trigger={
        <Button variant="quiet">
          <CircleUser size={16} aria-hidden />
          <span className="grow">
            <span className="visually-hidden">{texts.account}: </span>
            {user.name}
          </span>
        </Button>
      }
      entries={[
        ...THEMES.map((each) => ({
          id: each,
          label: `${texts.theme}: ${texts.themes[each]}`,
          isCurrent: each === theme,
          onAction: () => setTheme(each),
        })),
        { id: 'shortcuts', label: texts.shortcuts, onAction: onShortcuts },
        { id: 'sign-out', label: texts.signOut, onAction: signOut },
      ]}
    />
  );
}
