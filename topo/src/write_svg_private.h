/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drawing of a fabric in two steps: write_svg_layout.c gives every node its place,
 * write_svg_draw.c writes what is there. Lengths are whole tenths of a pixel ("dpx"), so
 * that the same graph gives the same bytes on every machine.
 */
#pragma once
#include <base/str.h>
#include <topo/graph.h>
#include <topo/write.h>

#define SVG_PX 10	    /* dpx of a pixel */
#define SVG_LINKS_MAX 6000u /* more switch links than that are drawn in bundles */
#define SVG_NIC_LINKS_MAX                                                                \
	1100u /* more NIC links than that are shown by the colour of the NICs */

struct svg_box {
	int32_t x, y, w, h; /* w 0: not drawn */
};

/* How the nodes of a row say their names. */
enum svg_label {
	SVG_LABEL_NONE,	   /* too small: only in the tooltip */
	SVG_LABEL_FULL,	   /* inside the box */
	SVG_LABEL_NUMBER,  /* the digits at the end; the row says the rest */
	SVG_LABEL_UPRIGHT, /* inside the box, turned */
};

struct svg_row {
	int32_t y, h;	/* of the whole row */
	int32_t item_h; /* of one box */
	int32_t font;	/* size of the names */
	enum svg_label label;
	uint32_t n; /* nodes in it; 0: no such row */
	uint32_t n_lines;
	int32_t item_w;		  /* of a box: all alike, but for hosts the most */
	uint32_t longest, digits; /* characters of the longest name and number */
	uint32_t stem;		  /* bytes that all names begin with */
	const char *name;	  /* one of them; borrowed from the graph */
};

/* A pod or a fabric of its own: what is drawn in one column. */
struct svg_column {
	uint32_t parent, pod; /* the key: a group's id or TOPO_NONE, and the pod */
	uint32_t n_slots;     /* of its widest row */
	struct svg_box box;
};

/* A switch and what decides its place. */
struct svg_switch {
	uint32_t node;
	uint32_t tier;	 /* sorted from the highest to 1 */
	uint32_t column; /* TOPO_NONE: above all columns */
	uint32_t plane;
	uint32_t block;
};

/* Switches of one tier, column and plane. */
struct svg_group {
	uint32_t first, n; /* in switches[] */
	uint32_t tier, column, plane;
	struct svg_box box;
};

/* Hosts that share leaves, and where they are drawn. */
struct svg_block {
	uint32_t column;
	uint32_t n_hosts, n_leaves;
	uint32_t n_lines;
	struct svg_box box;
};

struct svg_layout {
	const struct topo_graph *g;
	const struct topo_node *nodes;
	const struct topo_link *links;
	uint32_t n_tiers;
	struct svg_box *boxes; /* by node */
	uint32_t *column_of;   /* by node: switches and hosts */
	uint32_t *block_of;    /* by node: leaves and hosts; TOPO_NONE */
	struct svg_column *columns;
	size_t n_columns, cap_columns;
	struct svg_switch *switches;
	size_t n_switches;
	uint32_t *group_of; /* by node: switches */
	struct svg_group *groups;
	size_t n_groups, cap_groups;
	struct svg_block *blocks;
	size_t n_blocks;
	struct svg_row rows[UINT8_MAX + 1]; /* by tier; 0: hosts */
	bool nic_links;			    /* NIC links are drawn, not folded */
	bool bundles;			    /* switch links are drawn in bundles */
	int32_t scale; /* in tenths: 10 for ordinary drawings, more for wide ones */
	int32_t left, content_w;
	int32_t width, height;
};

/* 0, or -ENOMEM; topo_svg_layout_fini() in either case. */
int topo_svg_layout_init(struct svg_layout *l, const struct topo_graph *g,
			 bool has_title) BASE_MUST_CHECK;
void topo_svg_layout_fini(struct svg_layout *l);

/* Work of topo_svg_layout_init(), in write_svg_place.c: sizes and places, once everything
 * is grouped. */
int topo_svg_place(struct svg_layout *l, bool has_title) BASE_MUST_CHECK;

/* Draws boxes, links and nodes.  0, or -ENOMEM. */
int topo_svg_draw(const struct svg_layout *l, const struct topo_svg_options *options,
		  struct base_str *into) BASE_MUST_CHECK;

/* Links, bundles of links and dead links, in write_svg_links.c. */
int topo_svg_draw_links(const struct svg_layout *l,
			const struct topo_svg_options *options,
			struct base_str *into) BASE_MUST_CHECK;

/* The number of a dpx length in pixels: "12.5". */
void topo_svg_add_px(struct base_str *into, int32_t dpx);
/* x="" y="" width="" height="" of @box. */
void topo_svg_add_box(struct base_str *into, struct svg_box box);
/* @text with XML's special characters escaped. */
void topo_svg_add_text(struct base_str *into, const char *text);
/* The same for the full name of a node, and for that of a link. */
void topo_svg_add_node_name(struct base_str *into, const struct topo_graph *g,
			    uint32_t node);
void topo_svg_add_link_name(struct base_str *into, const struct topo_graph *g,
			    uint32_t link);
/* Load of a link: the busier direction.  0 without loads. */
uint64_t topo_svg_link_load_ppm(const struct topo_svg_options *options, uint32_t link);
