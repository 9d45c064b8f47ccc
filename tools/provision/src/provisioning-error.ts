/** What is wrong with a file, a line for each, starting with `file:line:column`. The reader can mend it alone. */
export class ProvisioningError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
