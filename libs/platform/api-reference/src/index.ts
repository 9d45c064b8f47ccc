export { ApiView } from './api-view';
export { ASSET_NAMES, ASSETS, type ReferenceAsset } from './assets';
export { html, type Html } from './html';
export { renderApi, renderMessage, renderOverview, renderSearch } from './render-lists';
export { renderOperation } from './render-operation';
export { renderPage, type ApiLink, type PageFrame } from './render-page';
export { SAMPLE, type SampleHints, type SampleValue } from './sample-hints';
export { search, type Found } from './search';
