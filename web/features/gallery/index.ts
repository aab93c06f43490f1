export { Gallery, type GalleryProps } from './ui/gallery.tsx';
