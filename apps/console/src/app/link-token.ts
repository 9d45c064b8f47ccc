const PARAMETER = 'token';

/**
 * The token of a link in an email. It is removed from the address at the start, so that the history, copied addresses and error reports do
 * not contain it.
 */
export const linkToken: string = takeToken();

function takeToken(): string {
  const url = new URL(window.location.href);
  const token = url.searchParams.get(PARAMETER) ?? '';
  if (!url.searchParams.has(PARAMETER)) return token;
  url.searchParams.delete(PARAMETER);
  window.history.replaceState(window.history.state, '', url);
  return token;
}
