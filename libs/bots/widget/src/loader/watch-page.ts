/** The Navigation API, if the browser supports it. */
interface WithNavigation {
  navigation?: EventTarget;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Calls back with the new and the previous URL when the page changes its URL without reloading. The history of the page
 * is not modified. `signal` stops it.
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

/** Appends the element to the document again whenever the page removes it. `signal` stops it. */
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
