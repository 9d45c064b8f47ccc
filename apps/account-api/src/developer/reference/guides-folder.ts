import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseGuide, type GuideGroup } from '@heliograph/api-reference';

/** Next to the program in a build, and in the repository otherwise. */
const FOLDERS = [path.join(__dirname, 'guides'), path.join(__dirname, '../../../../../docs/guides')];

interface ListedGroup {
  title: string;
  guides: string[];
}

/** Reads the guides in the order of `guides.json`. Rejects if the folder or a guide is missing. */
export async function readGuides(): Promise<GuideGroup[]> {
  const folder = FOLDERS.find((one) => existsSync(path.join(one, 'guides.json')));
  if (folder === undefined) throw new Error(`The folder ${FOLDERS[0]} is missing. Build the service again.`);
  const listed = JSON.parse(await readFile(path.join(folder, 'guides.json'), 'utf8')) as ListedGroup[];
  return Promise.all(
    listed.map(async ({ title, guides }) => ({
      title,
      guides: await Promise.all(
        guides.map(async (slug) => parseGuide(slug, await readFile(path.join(folder, `${slug}.md`), 'utf8'))),
      ),
    })),
  );
}
