export { ApiView, type Operation, type OperationView, type Schema, type SchemaOrReference } from './api-view';
export { exampleOf } from './example-of';
export { shapeOf } from './schema-shape';
export { ASSET_NAMES, ASSETS, type ReferenceAsset } from './assets';
export { parseGuide, type Guide, type GuideGroup } from './guides/guide';
export { loadHighlight } from './guides/highlight';
export { guideAddress, guideAsMarkdown, llmsText, renderGuide, withBaseUrl } from './guides/render-guides';
export { renderMarkdown } from './guides/render-markdown';
export { html, type Html } from './html';
export { renderApi, renderMessage, renderOverview, renderSearch } from './render-lists';
export {
  arrange,
  pageAddress,
  type ApiSource,
  type OutlineGroup,
  type OutlinePage,
  type ReferenceGroup,
  type ReferencePage,
} from './outline';
export { pageAsMarkdown } from './page-as-markdown';
export { renderGroup, renderResource } from './render-reference';
export { renderPage, type ApiLink, type PageFrame } from './render-page';
export {
  ACCESS_EXTENSION,
  LIMITS_EXTENSION,
  type RateLimit,
  type RouteAccess,
  type RouteFacts,
  type RouteLimits,
} from './route-facts';
export { camelCase, snakeCase } from './sdk/call-name';
export { pythonName, pythonPath, sdkSample, type SdkLanguage } from './sdk/sdk-sample';
export {
  bodyOf,
  plainParametersOf,
  positionName,
  responseOf,
  sdkCallOf,
  withoutEnvelope,
  type Paging,
  type SdkCall,
} from './sdk/sdk-call';
export { SAMPLE, type SampleHints, type SampleValue } from './sample-hints';
export { SearchIndex, type Found } from './search';
