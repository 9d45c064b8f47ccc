/** Whether a text is an SPF record (RFC 7208, 4.5). */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** Whether an SPF record includes `host`. Terms after `all` are ignored (RFC 7208, 5.1). */
export function spfIncludes(record: string, host: string): boolean {
  const terms = record.toLowerCase().split(' ').filter(Boolean).slice(1);
  const end = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  const reached = end < 0 ? terms : terms.slice(0, end);
  return reached.some((term) => term === `include:${host}` || term === `+include:${host}`);
}

export function isDmarcRecord(text: string): boolean {
  return /^v=DMARC1\s*(?:;|$)/.test(text);
}

/** Whether a DKIM record contains this key for signatures with SHA-256 (RFC 6376, 3.6.1). */
export function isDkimRecordOf(text: string, publicKey: string): boolean {
  const tags = readTags(text);
  if (tags === null || tags.get('p')?.replace(/\s/g, '') !== publicKey) return false;
  const holds = (tag: string, ...accepted: string[]): boolean => {
    const values = tags.get(tag)?.split(':');
    return values === undefined || values.some((value) => accepted.includes(value.trim().toLowerCase()));
  };
  return (
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' && holds('k', 'rsa') && holds('h', 'sha256') && holds('s', '*', 'email')
  );
}

/** Parses `name=value; name=value` (RFC 6376, 3.2); null for a repeated name or a malformed part. */
function readTags(text: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const [, name, value] = /^\s*([a-zA-Z][a-zA-Z0-9_]*)\s*=(.*)$/s.exec(part) ?? [];
    if (name === undefined || value === undefined || tags.has(name)) return null;
    tags.set(name, value.trim());
  }
  return tags;
}
