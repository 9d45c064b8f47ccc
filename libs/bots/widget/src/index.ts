export {
  PAGE_DATA_ID,
  ROOT_ID,
  type LauncherConfig,
  type LauncherTexts,
  type PageData,
  type WidgetConfig,
} from './protocol';
export { loadWidgetAssets, type WidgetAsset, type WidgetAssets } from './widget-assets';
