import { applyFile } from '@heliograph/provision';
import { UsageError } from './usage-error';

/** Applies a provisioning file to the deployment. Resolves with false if it was not applied completely. */
export async function provisionFile([file, ...rest]: readonly string[]): Promise<boolean> {
  if (file === undefined || rest.length > 0) throw new UsageError('provision needs one file.');
  return applyFile(process.cwd(), file);
}
