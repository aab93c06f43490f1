export { Gallery, type GalleryProps } from './ui/gallery.tsx';
export { GalleryTools } from './ui/gallery-tools.tsx';
