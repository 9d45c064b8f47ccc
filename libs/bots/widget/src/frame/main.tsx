import { render } from 'preact';
import { ChatClient } from './api/chat-client';
import { App } from './components/app';
import { ChatContextProvider } from './components/chat-context';
import { reportToHost } from './report-to-host';
import { connectToHost } from './host-bridge';
import { readPageData, rootOf } from './page-data';
import { ChatSession } from './state/chat-session';
import { ChatStorage } from './state/chat-storage';
import { ChatStore } from './state/chat-store';
import { interfaceFor } from './strings/strings';
import { applyTheme } from './theme/apply-theme';
import { parseColor } from './theme/contrast';
import { fitToKeyboard } from './theme/fit-to-keyboard';
import { newUuid } from './sending/new-uuid';

const page = readPageData(document);
const { config } = page;
const host = connectToHost(page.mode);
const ui = interfaceFor(config?.locale ?? document.documentElement.lang);
const store = new ChatStore();

const session = new ChatSession({
  botId: page.botId,
  client: new ChatClient(`${page.apiBase}/api/v1/chat/conversations`),
  storage: new ChatStorage(page.botId),
  store,
  context: () => {
    const { channel, pageUrl, referrer, language } = host.view;
    return { channel, client: { platform: navigator.platform, pageUrl, referrer, language } };
  },
  newKey: newUuid,
});

const root = document.documentElement;
root.lang = ui.language;
root.dir = ui.direction;

const brand = () => applyTheme(parseColor(host.view.color) ? host.view.color : config?.color);
const greeting = () => host.view.greeting || config?.welcome || '';
const look = () => {
  const { isOpen, isFullScreen } = host.view;
  brand();
  store.dispatch({ type: 'visible', isOpen, isFullScreen });
  session.setOpen(isOpen);
};

host.onChange(look);
look();
fitToKeyboard();
if (config) {
  store.dispatch({ type: 'offered', shortcuts: page.shortcuts ?? [] });
  session.resume();
} else {
  store.dispatch({ type: 'unavailable' });
}

const place = rootOf(document);
// Replaces the server-rendered fallback text.
place.textContent = '';
render(
  <ChatContextProvider
    value={{
      ui,
      bot: { name: config?.name ?? '', logo: config?.logo ?? null },
      session,
      traits: () => host.view.traits,
    }}
  >
    <App
      store={store}
      suggestions={page.suggestions ?? []}
      greeting={greeting}
      onClose={host.isInPanel ? () => host.send({ type: 'close' }) : null}
    />
  </ChatContextProvider>,
  place,
);
host.send({ type: 'drawn' });
reportToHost(host, store, session);
