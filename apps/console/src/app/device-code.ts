const PATH = '/console/device';

/**
 * The code of a device in the address that the device has displayed. It follows `#`, so that no server gets it, and is removed from the
 * address at the start.
 */
export const deviceCode: string = takeCode();

function takeCode(): string {
  const { pathname, hash, search } = window.location;
  if (pathname !== PATH || hash === '') return '';
  window.history.replaceState(window.history.state, '', pathname + search);
  return decode(hash.slice(1));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
