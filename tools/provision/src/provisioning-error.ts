/** The problems of a file, one line each, starting with `file:line:column`. */
export class ProvisioningError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
