import type { ContentCoding } from './encode-body';

/** In order of preference for equal weights. */
const CODINGS: ContentCoding[] = ['br', 'gzip', 'identity'];

/** The content coding that the client prefers (RFC 9110, section 12.5.3); identity if no other is acceptable. */
export function negotiateCoding(acceptEncoding: string | undefined): ContentCoding {
  const weights = new Map<string, number>();
  for (const item of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (name !== '') weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  const weightOf = (coding: ContentCoding): number =>
    weights.get(coding) ?? (coding === 'identity' ? 0.001 : (weights.get('*') ?? 0));
  let best: ContentCoding = 'identity';
  for (const coding of [...CODINGS].reverse()) {
    if (weightOf(coding) > 0 && weightOf(coding) >= weightOf(best)) best = coding;
  }
  return best;
}
