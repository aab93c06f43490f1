export { ProfileView, type ProfileViewProps } from './ui/profile-view.tsx';
