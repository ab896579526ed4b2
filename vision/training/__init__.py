"""Training of the small networks on simulated pictures; needs the extra `train`, never used at run time.

    python -m vision.training PICTURES                  # draws pictures and trains every field's networks
    python -m vision.training.dice …                    # the dice reader has its own, see there

or step by step, each of which writes vision/weights/NAME.onnx.gz:

    python -m vision.training.pictures PICTURES 300     # rounds of labelled pictures, the more the better
    python -m vision.training.traced PICTURES 0 600     # path-traced ones beside them (Blender's Cycles)
    python -m vision.training.cells tiles PICTURES 14   # likewise seven, faces and planks
    python -m vision.training.row PICTURES 20
    python -m vision.training.any_colors planks PICTURES/any 600   # likewise tiles: NAME-any, for sets of any colors
    python -m vision.training.cells tiles PICTURES 16 arrows   # from the network of tiles: one for arrows alone
    python -m vision.training.cells tiles PICTURES 8 further   # goes on from the weights that are shipped

Shipped: trained so from nothing, then further on some 1050 drawn pictures of planks (16 rounds; 600 of them for the
row, 6 rounds), 480 drawn and 42 path-traced ones of tiles (10 rounds) and 320 drawn ones of the seven field (8 rounds);
of six drawn tables five were lived in.

Shipped of the networks for sets of any colors: that of tiles, gone on from the kit's on some 190 drawn pictures, of
which every twelfth was kept aside (7 rounds; far from trained out). That of planks did not read letters better yet.

Shipped of the network for arrows: gone on from that of tiles on 500 drawn and 48 path-traced pictures (16 rounds), half
and three quarters of them of blank tiles, which get another print in each round (`prints`). As a whole that network
found 16 of 24 hands where the one of tiles finds 23, and doubted more, so it tells arrows only.

Not trained on yet by what is shipped but for the arrows: tiles printed in many ways (`lived_in`), half of the dice seen
aslant.

A network's state is kept beside the pictures, so that more pictures and more rounds can be added later;
remove NAME.pt there to begin anew.

Never trained or tuned on, and kept to measure with: the style families `vision.simulate.style.ASIDE` with the light of
the second, and the rooms `vision.training.traced.HELD_OUT_ROOMS`. What is misread in the third family may not even be
looked at: it is there for the last measurement of a piece of work.
"""
