import { PAGE_DATA_ID, ROOT_ID, type PageData } from '../protocol';

/** The JSON block that the runtime writes into the page. Throws when there is none: then it is not one of its pages. */
export function readPageData(page: Document): PageData {
  return JSON.parse(elementOf(page, PAGE_DATA_ID).textContent ?? '') as PageData;
}

export const rootOf = (page: Document): HTMLElement => elementOf(page, ROOT_ID);

function elementOf(page: Document, id: string): HTMLElement {
  const element = page.getElementById(id);
  if (!element)
    throw new Error(`This page has no element "${id}": open the chat by the address that the runtime gives.`);
  return element;
}
