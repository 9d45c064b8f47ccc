import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace-copy';

interface LockedPackage {
  /** The name of an aliased package. */
  name?: string;
  version: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(path.join(workspaceRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

describe('the lock file', () => {
  it('contains the binaries of every platform, because npm ci fails if one is missing', () => {
    const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !packages[`${folder}/node_modules/${name}`] && !packages[`node_modules/${name}`])
        .map((name) => `${folder}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('row 30: contains no Swagger UI, which no service uses', () => {
    const found = Object.entries(packages).filter(
      ([folder, { name }]) => folder.endsWith('/swagger-ui-dist') && name !== 'client-only',
    );
    expect(found).toEqual([]);
  });

  it('pins every package of the root', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(path.join(workspaceRoot, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version));
    expect(loose).toEqual([]);
  });
});
