/** A call that shows whom a key belongs to. */
export function firstCall(secret: string): string {
  return `curl ${window.location.origin}/api/me \\\n  -H "Authorization: Bearer ${secret}"`;
}
