import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeBody, type EncodedBody } from '@heliograph/service-kit';

export interface WidgetAsset {
  /** The file name; names of scripts and styles contain a hash of the content. */
  name: string;
  contentType: string;
  codings: EncodedBody;
}

export interface WidgetAssets {
  /** The script that sites include. */
  loader: WidgetAsset;
  /** The chat of the frame and the hosted page. */
  script: WidgetAsset;
  style: WidgetAsset;
}

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Reads and compresses the files built by tools/build/build-widget.mjs. Rejects if they do not exist. */
export async function loadWidgetAssets(directory: string): Promise<WidgetAssets> {
  const names = await readManifest(directory);
  const [loader, script, style] = await Promise.all([
    loadAsset(directory, names.loader),
    loadAsset(directory, names.script),
    loadAsset(directory, names.style),
  ]);
  return { loader, script, style };
}

async function readManifest(directory: string): Promise<Record<keyof WidgetAssets, string>> {
  const file = path.join(directory, 'manifest.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<keyof WidgetAssets, string>;
  } catch (cause) {
    throw new Error(`${file} cannot be read: build the folder with node tools/build/build-widget.mjs ${directory}`, {
      cause,
    });
  }
}

async function loadAsset(directory: string, name: string): Promise<WidgetAsset> {
  const contentType = CONTENT_TYPES[path.extname(name)];
  if (!contentType) throw new Error(`${name} is neither a script nor a stylesheet`);
  const identity = await readFile(path.join(directory, name));
  return { name, contentType, codings: await encodeBody(identity) };
}
