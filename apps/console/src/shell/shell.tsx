import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { setTheme, THEMES } from '../app/theme';
import { Button } from '../components/button';
import { strings } from '../strings';
import { Brand } from './brand';
import type { Command } from './command-palette';
import { ALL_DESTINATIONS } from './destinations';
import { Sidebar } from './sidebar';
import { useSignOut } from './sign-out';
import { useShortcuts, type Shortcuts } from './use-shortcuts';

const loadPalette = () => import('./command-palette');
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog')).ShortcutsDialog }));

const texts = strings.shell;

type Overlay = 'palette' | 'shortcuts' | 'drawer' | null;

/** The frame of all screens: navigation, search and shortcuts. */
export function Shell() {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const navigate = useNavigate();
  const signOut = useSignOut();
  const content = useFocusAfterNavigation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOverlay(null), [path]);

  const shortcuts = useMemo(() => {
    const found: Record<string, () => void> = {
      'mod+k': () => setOverlay('palette'),
      '?': () => setOverlay('shortcuts'),
      '/': () => document.querySelector<HTMLElement>('[data-page-search]')?.focus(),
      c: () => void navigate({ to: '/developers/api-keys', search: { create: true } }),
    };
    for (const { letter, to } of ALL_DESTINATIONS) found[`g ${letter}`] = () => void navigate({ to });
    return found satisfies Shortcuts;
  }, [navigate]);
  useShortcuts(shortcuts);
  // A person who opens the palette types at once.
  useEffect(() => void loadPalette(), []);

  const commands: readonly Command[] = [
    {
      id: 'create-key',
      label: strings.keys.create,
      run: () => void navigate({ to: '/developers/api-keys', search: { create: true } }),
    },
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: `${texts.theme}: ${texts.themes[theme]}`,
      run: () => setTheme(theme),
    })),
    { id: 'shortcuts', label: texts.shortcuts, run: () => setOverlay('shortcuts') },
    { id: 'sign-out', label: texts.signOut, run: signOut },
  ];
  const sidebar = <Sidebar onSearch={() => setOverlay('palette')} onShortcuts={() => setOverlay('shortcuts')} />;
  return (
    <>
      <a href="#content" className="button skip-link">
        {texts.skip}
      </a>
      <div className="shell">
        {sidebar}
        <header className="topbar">
          <Brand />
          <Button variant="quiet" isIcon aria-label={texts.openNavigation} onPress={() => setOverlay('drawer')}>
            <MenuIcon size={20} aria-hidden />
          </Button>
        </header>
        <main id="content" className="content" tabIndex={-1} ref={content}>
          <Outlet />
        </main>
      </div>
      <ModalOverlay
        className="overlay drawer-overlay"
        isOpen={overlay === 'drawer'}
        isDismissable
        onOpenChange={(open) => setOverlay(open ? 'drawer' : null)}
      >
        <Modal className="drawer">
          <Dialog aria-label={texts.navigation}>{sidebar}</Dialog>
        </Modal>
      </ModalOverlay>
      <Suspense>
        {overlay === 'palette' && <CommandPalette onClose={() => setOverlay(null)} commands={commands} />}
        {overlay === 'shortcuts' && <ShortcutsDialog onClose={() => setOverlay(null)} />}
      </Suspense>
    </>
  );
}

/** Moves the focus to the content after a navigation, so that the keyboard and screen readers go on there. */
function useFocusAfterNavigation() {
  const content = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    content.current?.focus({ preventScroll: true });
  }, [path]);
  return content;
}
