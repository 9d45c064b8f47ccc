import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { safeLink } from '../text/safe-link';

/** The picture, or the first letter of the name if there is no picture or it fails to load. */
export function Avatar({
  name,
  logo,
  kind,
}: {
  name: string;
  logo: string | null;
  kind: 'bot' | 'agent';
}): JSX.Element {
  const [hasFailed, setFailed] = useState(false);
  const source = logo === null ? null : logo.startsWith('data:image/') ? logo : safeLink(logo);
  return (
    <span class={`avatar avatar-${kind}`} aria-hidden="true">
      {source !== null && !hasFailed ? (
        <img src={source} alt="" referrerpolicy="no-referrer" onError={() => setFailed(true)} />
      ) : (
        <span>{initialOf(name)}</span>
      )}
    </span>
  );
}

function initialOf(name: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?';
  return letter.toLocaleUpperCase();
}
