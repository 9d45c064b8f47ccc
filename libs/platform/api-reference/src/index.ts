export { ApiView } from './api-view';
export { ASSET_NAMES, ASSETS, type ReferenceAsset } from './assets';
export { parseGuide, type Guide, type GuideGroup } from './guides/guide';
export { loadHighlight } from './guides/highlight';
export { guideAddress, guideAsMarkdown, llmsText, renderGuide, withBaseUrl } from './guides/render-guides';
export { renderMarkdown } from './guides/render-markdown';
export { html, type Html } from './html';
export { renderApi, renderMessage, renderOverview, renderSearch } from './render-lists';
export { renderOperation } from './render-operation';
export { renderPage, type ApiLink, type PageFrame } from './render-page';
export {
  ACCESS_EXTENSION,
  LIMITS_EXTENSION,
  type RateLimit,
  type RouteAccess,
  type RouteFacts,
  type RouteLimits,
} from './route-facts';
export { SAMPLE, type SampleHints, type SampleValue } from './sample-hints';
export { search, type Found } from './search';
