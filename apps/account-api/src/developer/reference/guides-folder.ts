import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseGuide, type Guide, type GuideGroup } from '@heliograph/api-reference';

const REPOSITORY = path.join(__dirname, '../../../../..');
/** Next to the program in a build, and in the repository otherwise. */
const FOLDERS = [path.join(__dirname, 'guides'), path.join(REPOSITORY, 'docs/guides')];

/** The changelog, which releases write, is the last guide of this group. */
const CHANGELOG = { group: 'Every call', file: 'CHANGELOG.md' };

interface ListedGroup {
  title: string;
  guides: string[];
}

/** Reads the guides in the order of `guides.json`. Rejects if the folder or a guide is missing. */
export async function readGuides(): Promise<GuideGroup[]> {
  const folder = FOLDERS.find((one) => existsSync(path.join(one, 'guides.json')));
  if (folder === undefined) throw new Error(`The folder ${FOLDERS[0]} is missing. Build the service again.`);
  const changelog = [path.join(folder, CHANGELOG.file), path.join(REPOSITORY, CHANGELOG.file)].find(existsSync);
  if (changelog === undefined) throw new Error(`The file ${CHANGELOG.file} is missing. Build the service again.`);
  const changes: Guide = {
    slug: 'changelog',
    title: 'Changelog',
    description: 'The changes of each version.',
    markdown: await readFile(changelog, 'utf8'),
  };
  const listed = JSON.parse(await readFile(path.join(folder, 'guides.json'), 'utf8')) as ListedGroup[];
  return Promise.all(
    listed.map(async ({ title, guides }) => ({
      title,
      guides: [
        ...(await Promise.all(
          guides.map(async (slug) => parseGuide(slug, await readFile(path.join(folder, `${slug}.md`), 'utf8'))),
        )),
        ...(title === CHANGELOG.group ? [changes] : []),
      ],
    })),
  );
}
