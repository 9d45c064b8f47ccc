/** The Navigation API, where the browser has it. */
interface WithNavigation {
  navigation?: EventTarget;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Calls back with the address when a page changes it without being loaded anew, and with the one before. Nothing of the
 * page's own history is touched. `signal` ends it.
 */
export function watchAddress(changed: (pageUrl: string, referrer: string) => void, signal: AbortSignal): void {
  let known = location.href;
  const look = (): void => {
    const { href } = location;
    if (href === known) return;
    const before = known;
    known = href;
    changed(href, before);
  };
  const { navigation } = window as WithNavigation;
  if (navigation) {
    navigation.addEventListener('currententrychange', look, { signal });
    return;
  }
  for (const event of ['popstate', 'hashchange']) addEventListener(event, look, { signal });
  const timer = setInterval(look, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Puts the element back behind the body whenever somebody takes it out of the page. `signal` ends it. */
export function keepInPage(host: Element, signal: AbortSignal): void {
  const keep = (): void => {
    if (host.isConnected || !document.documentElement) return;
    document.documentElement.append(host);
    watch();
  };
  const observer = new MutationObserver(keep);
  const watch = (): void => {
    observer.disconnect();
    observer.observe(document, { childList: true });
    observer.observe(document.documentElement, { childList: true });
  };
  keep();
  signal.addEventListener('abort', () => observer.disconnect());
}
