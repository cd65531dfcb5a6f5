import { mount } from "svelte";
import "../theme.css";
import "./gallery.css";
import Gallery from "./Gallery.svelte";

/* gallery.html?theme=dark shows the night. */
const theme = new URLSearchParams(location.search).get("theme");
if (theme) document.documentElement.dataset["theme"] = theme;
const target = document.getElementById("page");
if (target) mount(Gallery, { target });
